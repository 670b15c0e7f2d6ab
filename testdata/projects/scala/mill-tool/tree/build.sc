import mill._, scalalib._

object cart extends ScalaModule {
  def scalaVersion = "2.13.14"
}
