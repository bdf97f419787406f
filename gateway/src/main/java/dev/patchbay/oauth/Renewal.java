package dev.patchbay.oauth;

import dev.patchbay.oauth.Kept.Authority;
import dev.patchbay.server.SignIn;

import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;

/**
 * Gets new tokens for one server without a person. What another gateway has got meanwhile is taken
 * instead.
 */
final class Renewal {
    private final URI server;
    private final SignIn configured;
    private final KeptFile file;
    private final InstantSource clock;

    Renewal(URI server, SignIn configured, KeptFile file, InstantSource clock) {
        this.server = server;
        this.configured = configured;
        this.file = file;
        this.clock = clock;
    }

    /** What is kept from now on, in place of these tokens. A refusal leaves none. */
    Kept renew(Kept old) throws IOException, SignInFailed, InterruptedException {
        return file.alone(
                () -> {
                    Kept now = newest(old);
                    if (!now.tokens().access().equals(old.tokens().access())) {
                        return now;
                    }
                    try (var room = file.room()) { // a renewal can be had once only
                        boolean can = now.tokens().canBeRenewed();
                        Kept fresh = now.with(can ? asked(now) : Tokens.NONE);
                        room.write(fresh);
                        return fresh;
                    }
                });
    }

    private Kept newest(Kept old) {
        Kept now = file.read();
        return now == null ? old.with(Tokens.NONE) : now; // somebody has signed out
    }

    private Tokens asked(Kept kept) throws SignInFailed, InterruptedException {
        try {
            Authority authority = kept.authority();
            var web = new Web(Places.around(server));
            return new TokenEndpoint(
                            web, authority.token(), authority.resource(), identity(kept), clock)
                    .renew(kept.tokens());
        } catch (SignInFailed e) {
            if (e.isRefused()) {
                return Tokens.NONE;
            }
            throw e;
        }
    }

    /** Who the tokens were given to. A secret that is configured is not kept a second time. */
    private Identity identity(Kept kept) {
        Identity known = kept.identity();
        SignIn.Client client = configured.client();
        return known.id().equals(client.id())
                ? new Identity(client.id(), client.secret(), known.way(), known.redirectUri())
                : known;
    }

    /** Tokens for the client that is configured, which needs nobody to sign in. Not kept yet. */
    Kept own(Challenge challenge, String before) throws SignInFailed, InterruptedException {
        SignIn.Client client = configured.client();
        if (client.id().isEmpty() || client.secret().isEmpty()) {
            throw new SignInFailed("clientId and clientSecret are not configured", true);
        }
        var web = new Web(Places.around(server));
        // The secret goes where it went before, or where the configuration says.
        String pinned = configured.issuer().isEmpty() ? before : configured.issuer();
        Terms terms = new Discovery(web, server, pinned, "").find(challenge);
        Identity identity = new Registration(web, terms, configured).own();
        URI endpoint = terms.endpoints().token();
        Tokens tokens =
                new TokenEndpoint(web, endpoint, terms.resource(), identity, clock)
                        .own(Scopes.of(configured, terms, challenge));
        var authority = new Authority(terms.issuer(), terms.resource(), endpoint);
        return new Kept(server.toString(), authority, identity.withoutSecret(), tokens, "");
    }
}
