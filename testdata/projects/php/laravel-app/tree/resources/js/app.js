import "./bootstrap";
