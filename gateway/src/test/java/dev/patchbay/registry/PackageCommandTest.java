package dev.patchbay.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.json.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

class PackageCommandTest {
    private static final String DIGEST = "sha256:" + "ab".repeat(32);

    private static ServerPlan plan(String members, String... answers) throws RegistryException {
        Json source = Json.of("{" + members.replace('\'', '"') + "}");
        LaunchTemplate launch = PackageCommand.of(source);
        return ServerPlanner.plan(
                "s", "", launch, InputAnswers.parse(List.of(answers), launch.inputs()));
    }

    private static String command(String members, String... answers) throws RegistryException {
        Json definition = plan(members, answers).entry().definition();
        var words = new StringBuilder(String.valueOf(definition.memberText("command")));
        Json args = definition.member("args");
        if (args != null) {
            args.elements().forEach(it -> words.append(' ').append(it.text()));
        }
        return words.toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'registryType':'npm','identifier':'@a/b','version':'1.2.3' | npx -y @a/b@1.2.3",
                "'registryType':'pypi','identifier':'a-b','version':'1.2.3'"
                        + " | uvx --from a-b==1.2.3 a-b",
                "'registryType':'pypi','identifier':'a[x]','version':'1'"
                        + " | uvx --from a[x]==1 a",
                "'registryType':'nuget','identifier':'A.B','version':'1.0'"
                        + " | dnx A.B@1.0 --yes",
                "'registryType':'oci','identifier':'ghcr.io/a/b:1.0'"
                        + " | docker run -i --rm ghcr.io/a/b:1.0",
                "'registryType':'oci','identifier':'a/b','version':'2'"
                        + " | docker run -i --rm a/b:2",
                "'registryType':'npm','identifier':'x','version':'1',"
                        + "'registryBaseUrl':'https://npm.example.com/'"
                        + " | npx -y --registry https://npm.example.com x@1",
            })
    void runsEveryKindWithItsRunnerAtAFixedVersion(String members, String expected)
            throws Exception {
        assertThat(command(members.strip())).isEqualTo(expected.strip());
    }

    @Test
    void digestOfAnImageIsKept() throws Exception {
        assertThat(command("'registryType':'oci','identifier':'ghcr.io/a/b@" + DIGEST + "'"))
                .isEqualTo("docker run -i --rm ghcr.io/a/b@" + DIGEST);
        assertThat(command("'registryType':'oci','identifier':'a/b','version':'" + DIGEST + "'"))
                .endsWith("a/b@" + DIGEST);
    }

    @Test
    void argumentsFollowThePackageAndVariablesReachTheContainerByName() throws Exception {
        String members =
                "'registryType':'oci','identifier':'a/b:1','runtimeArguments':["
                        + "{'type':'named','name':'-v','value':'{dir}:/data','variables':"
                        + "{'dir':{'isRequired':true}}}],'packageArguments':["
                        + "{'type':'positional','value':'start'},"
                        + "{'type':'named','name':'--port','default':'80'},"
                        + "{'type':'named','name':'--color','format':'boolean'},"
                        + "{'type':'positional','valueHint':'file','isRepeated':true}],"
                        + "'environmentVariables':[{'name':'TOKEN','isSecret':true,"
                        + "'isRequired':true}]";
        assertThat(command(members, "dir=/d", "TOKEN=t0p", "file=a", "file=b c", "color=true"))
                .isEqualTo(
                        "docker run -i --rm -v /d:/data -e TOKEN a/b:1 start --port 80"
                                + " --color=true a b c");
        ServerPlan plan = plan(members, "dir=/d", "TOKEN=t0p");
        assertThat(plan.entry().definition().toString())
                .contains("\"TOKEN\":\"${secret:s.TOKEN}\"")
                .doesNotContain("t0p");
        assertThat(plan.secrets()).containsEntry("s.TOKEN", "t0p");
        assertThat(plan.unset()).extracting(DeclaredInput::name).containsExactly("color", "file");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'registryType':'npm','identifier':'x' | has no version",
                "'registryType':'npm','identifier':'x','version':'latest' | is not one version",
                "'registryType':'npm','identifier':'x','version':'1.*' | is not one version",
                "'registryType':'npm','identifier':'-p','version':'1' | not the name",
                "'registryType':'npm','identifier':'git+https://x','version':'1' | not the name",
                "'registryType':'pypi','identifier':'a b','version':'1' | not the name",
                "'registryType':'oci','identifier':'a/b' | neither a version nor a digest",
                "'registryType':'oci','identifier':'a/b@sha256:12' | not the name of an image",
                "'registryType':'oci','identifier':'--privileged:1' | not the name of an image",
                "'registryType':'cargo','identifier':'x','version':'1' | not supported",
                "'registryType':'npm','identifier':'x','version':'1',"
                        + "'registryBaseUrl':'file:///tmp' | is not used",
                "'registryType':'npm','identifier':'x','version':'1',"
                        + "'transport':{'type':'sse'} | patchbay add ID --url URL",
            })
    void whatIsNotFixedOrNotSafeIsRefused(String members, String reason) {
        assertThatThrownBy(() -> command(members.strip()))
                .isInstanceOf(RegistryException.class)
                .hasMessageContaining(reason.strip());
    }
}
