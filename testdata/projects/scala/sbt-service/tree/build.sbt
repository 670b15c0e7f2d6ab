ThisBuild / scalaVersion := "3.4.2"

lazy val root = project.settings(name := "cart", libraryDependencies += "dev.zio" %% "zio" % "2.1.1")
