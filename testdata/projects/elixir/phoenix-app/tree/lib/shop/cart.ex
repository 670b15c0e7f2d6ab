defmodule Cart do
  @moduledoc "Adds up what lies in a cart."

  defstruct lines: %{}

  def add(%Cart{lines: lines} = cart, sku, count \\ 1) do
    %{cart | lines: Map.update(lines, sku, count, &(&1 + count))}
  end
end
