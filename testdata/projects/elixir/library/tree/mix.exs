defmodule Cart.MixProject do
  use Mix.Project

  def project do
    [app: :cart, version: "0.1.0", elixir: "~> 1.15", deps: deps()]
  end

  defp deps, do: [{:credo, "~> 1.7", only: :dev}]
end
