defmodule Shop.MixProject do
  use Mix.Project

  @elixir_requirement "~> 1.14"

  def project do
    [app: :shop, elixir: @elixir_requirement, deps: [{:phoenix, "~> 1.7"}]]
  end
end
