package receipt_test

import (
	"testing"

	"github.com/modu-ai/moai/generated/quality"
	"github.com/modu-ai/moai/internal/receipt"
)

// What tools print where the machine is not set up for a project: a wrong version, a missing step before the tests, a service that does not run.
var unready = []string{
	// as the tools printed it
	"error This project's package.json defines \"packageManager\": \"yarn@4.10.2\". However the current global version of Yarn is 1.22.22.\n\nPresence of the \"packageManager\" field indicates that the project is meant to be used with Corepack, a tool included\nCorepack must currently be enabled by running corepack enable in your terminal.\n",
	" ERROR  Refusing to run pnpm@9.1.0: its npm registry signature could not be verified (pnpm@9.1.0: no signature).\n",
	" ERR_PNPM_UNSUPPORTED_ENGINE  Unsupported environment (bad pnpm and/or Node.js version)\n\nYour pnpm version is incompatible with \"/p\".\n",
	"error a@: The engine \"node\" is incompatible with this module. Expected version \">=99\". Got \"20.20.2\"\nerror Commands cannot run with an incompatible environment.\n",
	"The JAVA_HOME environment variable is not defined correctly,\nthis environment variable is needed to run this program.\n",
	"\nERROR: JAVA_HOME is set to an invalid directory: /nope\n\nPlease set the JAVA_HOME variable in your environment to match the\nlocation of your Java installation.\n",
	"wget: Failed to fetch https://repo.maven.apache.org/maven2/org/apache/maven/apache-maven/3.9.12/apache-maven-3.9.12-bin.zip\n",
	"╷\n│ Error: Module not installed\n│ \n│   on main.tf line 5:\n│    5: module \"x\" { source = \"./m\" }\n│ \n│ This module is not yet installed. Run \"terraform init\" to install all\n│ modules required by this configuration.\n╵\n",
	"\nError: Missing required provider\n\nThis configuration requires provider registry.terraform.io/hashicorp/aws, but\nthat provider isn't available. You may be able to install it automatically by\nrunning:\n  terraform init\n",
	"\nError: Unsupported Terraform Core version\n\n  on main.tf line 2, in terraform:\n   2:  required_version = \">= 99\"\n",
	"\nError: Failed to query available provider packages\n\nCould not retrieve the list of available versions for provider hashicorp/aws:\ndial tcp: lookup registry.terraform.io on 10.255.255.53:53: no such host\n",
	"\nError: Backend initialization required, please run \"terraform init\"\n",
	"error: rustc 1.95.0 is not supported by the following package:\n  c@0.1.0 requires rustc 1.99\n",
	"docker: unknown command: docker compose\n\nRun 'docker --help' for more information\n",
	"ERROR: Could not find a version that satisfies the requirement zzzq>=3 (from versions: none)\nERROR: No matching distribution found for zzzq>=3\n",
	"Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?\nmake: *** [Makefile:2: test] Error 1\n",
	"warning: spurious network error (3 tries remaining): [7] Could not connect to server (Failed to connect to 127.0.0.1 port 9)\nerror: failed to get `zzz` as a dependency of package `q v0.1.0`\n\nCaused by:\n  failed to query replaced source registry `crates-io`\n\nCaused by:\n  download of config.json failed\n\nCaused by:\n  failed to download from `http://127.0.0.1:9/config.json`\n",
	"error: failed to get `zzz` as a dependency of package `q v0.1.0`\n\nCaused by:\n  failed to load source for dependency `zzz`\n\nCaused by:\n  unable to update registry `crates-io`\n\nCaused by:\n  failed to update replaced source registry `crates-io`\n\nCaused by:\n  failed to fetch `http://127.0.0.1:9/x`\n",
	"# ./...\npattern ./...: directory prefix . does not contain modules listed in go.work or their selected dependencies\nFAIL\t./... [setup failed]\nFAIL\n",
	"pattern ./...: directory prefix . does not contain main module or its selected dependencies\n",
	"go: no modules were found in the current workspace; see 'go help work'\n",
	"current directory is contained in a module that is not one of the workspace modules listed in go.work. You can add the module to the workspace using:\n\tgo work use .\n",
	"CMake Error at catch2-populate-gitclone.cmake:39 (message):\n  Failed to clone repository: 'https://github.com/catchorg/Catch2.git'\ngmake: *** [Makefile:91: all] Error 2\n\nCMake Error at FetchContent.cmake:1616 (message):\n  Build step for catch2 failed: 2\n",
	// as their sources and manuals have it
	"permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock\n",
	"Usage Error: The project in /p/package.json doesn't seem to have been installed - running an install there might help\n",
	"Internal Error: app@workspace:.: This package doesn't seem to be present in your lockfile; run \"yarn install\" to update the lockfile\n",
	" ERR_PNPM_BAD_PM_VERSION  This project is configured to use v9.4.0 of pnpm. Your current pnpm is v10.1.0\n",
	" ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with \"frozen-lockfile\" because pnpm-lock.yaml is not up to date\n",
	"> app@1.0.0 test\n> vitest run\n\nsh: vitest: command not found\n WARN   Local package.json exists, but node_modules missing, did you mean to install?\n",
	"npm error code EACCES\nnpm error syscall mkdir\nnpm error path /root/.npm/_cacache\n",
	"npm error code EBADENGINE\nnpm error engine Unsupported engine\n",
	"You are using Node.js 16.20.0. Vite requires Node.js version 20.19+ or 22.12+. Please upgrade your Node.js version.\n",
	"Error: error:0308010C:digital envelope routines::unsupported\n  code: 'ERR_OSSL_EVP_UNSUPPORTED'\n",
	"The module '/p/node_modules/x/build/Release/x.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 108.\n",
	"The Cypress App could not be found: The cypress npm package is installed, but the Cypress binary is missing.\n",
	"The currently activated Python version 3.8.10 is not supported by the project (^3.11).\nTrying to find and use a compatible version.\nPoetry was unable to find a compatible version.\n",
	"error: No solution found\nerror: The Python request from `.python-version` resolved to Python 3.8.18, which is incompatible with the project's Python requirement: `>=3.11`\n",
	"py312: skipped because could not find python interpreter with spec(s): py312\n  py312: SKIP\n  evaluation failed :(\n",
	"error: externally-managed-environment\n\n× This environment is externally managed\n",
	"django.db.utils.OperationalError: connection to server at \"localhost\" (127.0.0.1), port 5432 failed: Connection refused\n\tIs the server running on that host and accepting TCP/IP connections?\n",
	"bin/rails aborted!\nActiveRecord::ConnectionNotEstablished: connection to server on socket \"/var/run/postgresql/.s.PGSQL.5432\" failed\n",
	"Could not find nokogiri-1.16.2, racc-1.7.3 in locally installed gems\nRun `bundle install` to install missing gems.\n",
	"Composer detected issues in your platform: Your Composer dependencies require a PHP version \">= 8.3.0\". You are running 8.1.2.\n",
	"Could not open input file: vendor/bin/phpunit\n",
	"error: linker `cc` not found\n  |\n  = note: No such file or directory (os error 2)\nerror: could not compile `app`\n",
	"error[E0463]: can't find crate for `std`\n  |\n  = note: the `wasm32-unknown-unknown` target may not be installed\n",
	"compile: version \"go1.22.1\" does not match go tool version \"go1.23.0\"\n",
	"FAILURE: Build failed with an exception.\n* What went wrong:\nBUG! exception in phase 'semantic analysis' in source unit '_BuildScript_' Unsupported class file major version 69\n",
	"> Task :compileJava FAILED\n\nFAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':compileJava'.\n> Could not resolve all files for configuration ':compileClasspath'.\n      > Could not GET 'https://repo.maven.apache.org/maven2/x.pom'.\n",
	"> Task :compileJava FAILED\n* What went wrong:\nExecution failed for task ':compileJava'.\n> Cannot find a Java installation on your machine (Linux 6.1 amd64) matching: {languageVersion=21}.\n",
	"[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.11.0:compile: Fatal error compiling: error: release version 21 not supported -> [Help 1]\n",
	"error NETSDK1045: The current .NET SDK does not support targeting .NET 10.0.\n",
	"error NETSDK1004: Assets file '/p/obj/project.assets.json' not found. Run a NuGet package restore to generate this file.\n",
	"** (Mix) You're trying to run :app on Elixir v1.14.0 but it has declared in its mix.exs file it supports only Elixir ~> 1.18\n",
	"** (Mix.Error) Livebook requires Erlang/OTP 27+\n    (mix 1.14.0) lib/mix.ex:513: Mix.raise/2\n    mix.exs:2: (file)\n    (mix 1.14.0) lib/mix/cli.ex:42: Mix.CLI.load_mix_exs/0\n",
	"===> OTP release 27 or later is required. Version in use: 25.3\n",
	"[ERROR] Rule 0: org.apache.maven.enforcer.rules.version.RequireJavaVersion failed with message:\nDetected JDK version 11.0.2 (JAVA_HOME=/usr/lib/jvm) is not in the allowed range [17,).\n",
	"FAILURE: Build failed with an exception.\n\n* What went wrong:\nGradle requires JVM 17 or later to run. Your build is currently configured to use JVM 11.\n",
	"The Angular CLI requires a minimum Node.js version of v20.19 or v22.12.\n",
	"You are using Node.js 16.20.0. For Next.js, Node.js version \">=20.9.0\" is required.\n",
	"This version of PHPUnit requires PHP >= 8.3.\nYou are using PHP 8.1.2 (/usr/bin/php8.1).\n",
	"ERROR: /p/pyproject.toml: 'minversion' requires pytest-9.0, actual pytest-7.4.0'\n",
	"error: failed to parse manifest at `/p/Cargo.toml`\n\nCaused by:\n  feature `edition2024` is required\n\n  The package requires the Cargo feature called `edition2024`, but that feature is not stabilized in this version of Cargo (1.80.0).\n",
	"error: failed to parse lock file at: /p/Cargo.lock\n\nCaused by:\n  lock file version `4` was found, but this version of Cargo does not understand this lock file, perhaps Cargo needs to be updated?\n",
	"File \"dune-project\", line 1, characters 11-15:\nError: Version 3.17 of the dune language is not supported.\n",
	"meson.build:1:0: ERROR: Meson version is 1.0.1 but project requires >= 1.4\n",
	"Because app requires SDK version ^3.9.0, version solving failed.\nThe current Dart SDK version is 3.2.0.\n",
	"xcrun: error: invalid active developer path (/Library/Developer/CommandLineTools), missing xcrun at: /Library/Developer/CommandLineTools/usr/bin/xcrun\n",
	"CMake Error at CMakeLists.txt:1 (cmake_minimum_required):\n  CMake 3.28 or higher is required.  You are running version 3.22.1\n",
	"No CMAKE_C_COMPILER could be found.\n",
	"/bin/sh: ./run-tests.py: /usr/bin/python9: bad interpreter: No such file or directory\n",
}

func TestUnreadyMachine(t *testing.T) {
	for _, text := range unready {
		if !begins(t, text) {
			t.Errorf("taken for a fault of the files:\n%s", text)
		}
	}
}

// The same words say nothing once tests have run, and faults of the files stay what they are.
func TestFaultsOfFiles(t *testing.T) {
	for _, text := range []string{
		"> Task :compileJava FAILED\n/p/src/A.java:3: error: cannot find symbol\n* What went wrong:\nExecution failed for task ':compileJava'.\n> Compilation failed; see the compiler error output for details.\n",
		"> Task :compileJava\n> Task :test FAILED\n\nLoginTest > refusesEmpty FAILED\n    java.lang.AssertionError\n\n3 tests completed, 1 failed\n",
		"> Task :test\nLoginTest > asks() FAILED\n    Could not GET 'http://localhost/x'\n1 test completed, 1 failed\n",
		"│ Error: Unsupported argument\n│ \n│   on main.tf line 3, in resource \"aws_vpc\" \"x\":\n│    3:   cidr = 1\n│ \n│ An argument named \"cidr\" is not expected here.\n",
		"$ terraform init && terraform validate\nError: Invalid reference\n",
		"--- FAIL: TestPing (0.00s)\n    ping_test.go:9: Cannot connect to the Docker daemon at unix:///var/run/docker.sock\nFAIL\n",
		"running 2 tests\ntest a ... FAILED\nJAVA_HOME is set to an invalid directory: /nope\n",
		"FAIL  src/a.test.ts > asks\nAssertionError: expected 'npm error code EACCES' to be ''\n Tests  1 failed (1)\n",
		"npm error Lifecycle script `test` failed with error:\nnpm error code 1\n",
		"npm ERR! code ELIFECYCLE\nnpm ERR! errno 1\n",
		"ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL  app@1.0.0 test: `node a.js`\nExit status 1\n",
		"src/a.ts(3,1): error TS2304: Cannot find name 'b'.\n",
		"a.c:3:1: error: expected ';' before '}' token\nmake: *** [Makefile:2: a.o] Error 1\n",
	} {
		if begins(t, text) {
			t.Errorf("taken for a fault of the machine:\n%s", text)
		}
	}
}

// begins reports that what was printed says that nothing could be run.
func begins(t *testing.T, text string) bool {
	t.Helper()
	out := receipt.NewOutput(&quality.Table.Tests)
	_, _ = out.Write([]byte(text))
	return out.CouldNotBegin(t.TempDir())
}
