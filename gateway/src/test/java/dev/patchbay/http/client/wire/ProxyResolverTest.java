package dev.patchbay.http.client.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;

class ProxyResolverTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "https://a.example/ | HTTPS_PROXY=http://10.0.0.9:3128             | 10.0.0.9:3128",
                "https://a.example/ | https_proxy=10.0.0.9:3128                    | 10.0.0.9:3128",
                "https://a.example/ | ALL_PROXY=http://10.0.0.9                    | 10.0.0.9:80",
                "https://a.example/ | HTTP_PROXY=http://10.0.0.9:1                 | none",
                "http://a.example/  | HTTP_PROXY=http://10.0.0.9:1                 | 10.0.0.9:1",
                "http://a.example/  | HTTP_PROXY=http://10.0.0.9:1;NO_PROXY=*      | none",
                "http://a.example/  | HTTP_PROXY=http://10.0.0.9:1;NO_PROXY=b,example | none",
                "http://a.example/  | HTTP_PROXY=http://10.0.0.9:1;NO_PROXY=.example  | none",
                "http://a.example/  | HTTP_PROXY=http://10.0.0.9:1;NO_PROXY=ample  | 10.0.0.9:1",
                "http://a.example/  | HTTP_PROXY=http://10.0.0.9:1;no_proxy=A.EXAMPLE:80 | none",
                "http://a.example/  | HTTP_PROXY=http://10.0.0.9:1;NO_PROXY=a.example:81 |"
                        + " 10.0.0.9:1",
                "http://localhost/  | HTTP_PROXY=http://10.0.0.9:1                 | none",
                "http://127.0.0.1/  | HTTP_PROXY=http://10.0.0.9:1                 | none",
                "http://[::1]/      | HTTP_PROXY=http://10.0.0.9:1                 | none",
                "http://a.example/  | HTTP_PROXY=socks5://10.0.0.9:1               | none",
                "http://a.example/  | HTTP_PROXY=                                  | none",
                "http://a.example/  | HTTP_PROXY=https://proxy                     | proxy:443 TLS",
                "http://a.example/  | HTTP_PROXY=http://me:p%40ss+1@proxy:1        | proxy:1"
                        + " me:p@ss+1"
            })
    void environmentVariablesSelectProxy(String url, String variables, String chosen) {
        HttpProxy proxy = ProxyResolver.resolve(URI.create(url), environment(variables));
        assertThat(proxy == null ? "none" : describe(proxy)).isEqualTo(chosen);
    }

    private static String describe(HttpProxy proxy) {
        String more = (proxy.isSecure() ? " TLS" : "") + " " + proxy.credentials();
        return (proxy + more).strip();
    }

    private static Map<String, String> environment(String variables) {
        var environment = new HashMap<String, String>();
        for (String each : variables.split(";", -1)) {
            String[] sides = each.split("=", 2);
            environment.put(sides[0], sides[1]);
        }
        return environment;
    }
}
