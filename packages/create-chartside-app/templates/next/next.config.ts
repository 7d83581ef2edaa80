// How Next.js builds and serves this app. The page's own policy is set in proxy.ts, because it has
// a nonce of each request.
import type { NextConfig } from 'next'

const config: NextConfig = {
  poweredByHeader: false,
  // `npm run check` checks the types.
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: import.meta.dirname },
  headers: async () => [
    {
      source: '/:path*',
      headers: [
        { key: 'x-content-type-options', value: 'nosniff' },
        { key: 'referrer-policy', value: 'no-referrer' },
      ],
    },
  ],
}

export default config
