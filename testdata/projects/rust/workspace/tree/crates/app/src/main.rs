fn main() {
    println!("{:?}", core::count("a b"));
}
