public class CartTests { }
