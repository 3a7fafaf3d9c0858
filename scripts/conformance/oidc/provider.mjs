// An OpenID provider, oidc-provider of npm, that gives access tokens for two services
// to a client that names itself, and lets anybody sign in for the page whose address is
// the second argument.
import Provider from 'oidc-provider';
import { createServer } from 'node:http';
import { generateKeyPairSync } from 'node:crypto';

const port = Number(process.argv[2]), page = process.argv[3];
const jwk = (type, options, alg) => ({ ...generateKeyPairSync(type, options).privateKey.export({ format: 'jwk' }), alg, use: 'sig', kid: alg });
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{ client_id: 'team', client_secret: 'secret-of-the-team', grant_types: ['client_credentials'], redirect_uris: [], response_types: [] },
    ...(page ? [{ client_id: 'page', token_endpoint_auth_method: 'none', redirect_uris: [page], grant_types: ['authorization_code'], response_types: ['code'] }] : [])],
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, lectern: ['vendor_collection'] }) }),
  claims: { openid: ['sub', 'lectern'] },
  conformIdTokenClaims: false,
  pkce: { required: () => true },
  jwks: { keys: [jwk('rsa', { modulusLength: 2048 }, 'RS256'), jwk('ec', { namedCurve: 'P-256' }, 'ES256')] },
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: !!page },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_, resource) => ({
        scope: 'read', accessTokenFormat: 'jwt', audience: resource.replace('urn:', ''), accessTokenTTL: 600,
        jwt: { sign: { alg: resource.endsWith('es') ? 'ES256' : 'RS256' } },
      }),
    },
  },
  extraTokenClaims: () => ({ sub: 'team', lectern: ['handbook'] }),
});
createServer(provider.callback()).listen(port, '127.0.0.1');
