Gem::Specification.new do |spec|
  spec.name = "cart"
  spec.required_ruby_version = ">= 3.1"
end
