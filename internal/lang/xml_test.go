package lang

import "testing"

// TestXML: a POM names the compiler's version in several places, and what stands in
// others is the version of something else.
func TestXML(t *testing.T) {
	const compiler = "<artifactId>maven-compiler-plugin</artifactId>"
	const pom = `<project>
<!-- <java.version>5</java.version> -->
<properties><required.jdk>11</required.jdk><java.version>${required.jdk}</java.version><round>${again}</round><again>${round}</again></properties>
<build><plugins>
<plugin><artifactId>maven-javadoc-plugin</artifactId><configuration><source>7</source></configuration></plugin>
<plugin>` + compiler + `
 <executions><execution><configuration><release>21</release></configuration></execution></executions>
 <configuration><compilerArgs/><source>${java.version}</source></configuration>
</plugin>
<plugin><artifactId>other</artifactId><configuration><target>6</target></configuration></plugin>
</plugins></build>
<profiles><profile><properties><late>17</late></properties></profile></profiles>
</project>`
	for _, test := range []struct{ within, tag, want string }{
		{"", "java.version", "11"},
		{"", "source", "7"},
		{compiler, "source", "11"},
		{compiler, "target", ""},
		{compiler, "release", ""},
		{"", "late", ""},
		{"", "round", ""},
		{"<artifactId>none</artifactId>", "source", ""},
	} {
		if got := xmlField([]byte(pom), test.within, test.tag); got != test.want {
			t.Errorf("xmlField(within %q, %q) = %q, want %q", test.within, test.tag, got, test.want)
		}
	}
	const project = "<Project><PropertyGroup><Net>net8.0</Net><TargetFramework>$(Net)</TargetFramework><TargetFrameworks>$(Net);net9.0</TargetFrameworks></PropertyGroup></Project>"
	if got := xmlField([]byte(project), "", "TargetFramework"); got != "net8.0" {
		t.Errorf("xmlField of a reference = %q, want net8.0", got)
	}
	if got := xmlField([]byte(project), "", "TargetFrameworks"); got != "" {
		t.Errorf("xmlField of a reference in a list = %q, want none", got)
	}
	const onWindows = `<P><TargetFrameworks Condition=" '$(OS)' == 'Windows_NT'">net471;net462</TargetFrameworks>`
	if got := xmlField([]byte(onWindows+"<TargetFrameworks>$(TargetFrameworks);net10.0;netstandard2.0</TargetFrameworks></P>"), "", "TargetFrameworks"); got != "net10.0;netstandard2.0" {
		t.Errorf("xmlField beside one under a condition = %q, want net10.0;netstandard2.0", got)
	}
	if got := xmlField([]byte(onWindows+"</P>"), "", "TargetFrameworks"); got != "net471;net462" {
		t.Errorf("xmlField under a condition alone = %q, want net471;net462", got)
	}
	if got := xmlField([]byte("<a><!-- <b>1</b>"), "", "b"); got != "" {
		t.Errorf("xmlField in a comment without an end = %q, want none", got)
	}
}
