RSpec.describe Cart do
end
