#[test]
fn counts() {
    assert_eq!(words::count("a a")["a"], 2);
}
