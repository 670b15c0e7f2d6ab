module Shop
end
