defmodule CartTest do
  use ExUnit.Case
end
