// The text of --help. Data only: options.ts parses what it promises, and a test compares the two
// lists of options.

export const HELP = `Checks an OAuth 2.0 and OpenID Connect service from the outside, module by module.

  npm run tool -- conformance --base-url http://localhost:4700
      a Chartside service; in development on this machine it signs in with the sample administrator
  npm run tool -- conformance --issuer https://id.example --client-id … --redirect-uri … --login-script login.ts
      another OpenID provider

Service
  --base-url URL          address of a Chartside service; its issuer is URL/app-auth, or --issuer
  --issuer URL            issuer of another provider (without --base-url)
  --email, --password     who signs in: a platform administrator; the run makes an account, two apps
                          and a collection, and deletes them at the end
  --client-id, --client-secret, --redirect-uri
                          use this registered client instead of new ones
  --account-id, --ehr-type
                          with such a client: where its launches are opened
  --other-client-id, --other-client-secret
                          a second client of another provider, for what is bound to one client
  --login-script FILE     answers the sign-in pages of another provider (README.md)

Run
  --list                  lists the modules and their sources
  --only MODULE…          runs these modules only; a name may end in *
  --json FILE             writes the report as JSON
  --html FILE             writes the report as one HTML page
  --allow-remote          allows a service that is not on this machine. Test only what is yours
  --max-requests N        3000
  --timeout-seconds N     300, for the whole run; a request has 10
  --code-reuse-wait-seconds N
                          30, before a code is used again
  --help                  shows this text

Every option can be set in the environment, such as CONFORMANCE_PASSWORD or CONFORMANCE_CLIENT_SECRET.
Exit code: 0 nothing failed, 1 a module failed, 2 the run could not be made.
`
