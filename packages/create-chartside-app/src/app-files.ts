// Every file of a new app: its templates with their placeholders filled, its two JSON files, and
// the package archives in vendor/. Owns the README's text for each choice. Writes nothing.
import { buildAppManifest, buildPackageJson } from './app-json.ts'
import {
  buildSlug,
  type Choices,
  FRAMEWORKS,
  type Framework,
  isReact,
  type Kind,
  type TokenOption,
} from './choices.ts'
import type { PackageSource } from './packages.ts'
import { fillPlaceholders, loadTemplates } from './templates.ts'
import type { AppFiles } from './write-app.ts'

export async function buildAppFiles(choices: Choices, packages: PackageSource): Promise<AppFiles> {
  const values = buildValues(choices, packages.files.size > 0)
  const templates = [...(await loadTemplates(choices))].map(
    ([path, text]) => [path, fillPlaceholders(text, values)] as const,
  )
  return new Map<string, string | Uint8Array>([
    ...templates,
    ['package.json', write(buildPackageJson(choices, packages.versions))],
    ['chartside.app.json', write(buildAppManifest(choices))],
    ...packages.files,
  ])
}

/** A list of one text stays on one line, as the formatters of JSON write it. */
const write = (content: object): string =>
  `${JSON.stringify(content, null, 2).replace(/\[\n\s+("[^"\n]*")\n\s+\]/g, '[$1]')}\n`

const buildValues = (
  { name, option, framework, kind }: Choices,
  isVendored: boolean,
): Readonly<Record<string, string>> => ({
  name,
  slug: buildSlug(name),
  framework: FRAMEWORKS[framework].label,
  ...OF_FRAMEWORK[framework],
  packagesText: isVendored ? VENDORED : '',
  vendorStep: isVendored ? 'COPY vendor ./vendor/\n' : '',
  ...OF_OPTION[option],
  ...OF_KIND[kind],
  ...(isReact(framework) ? IN_REACT : {}),
  ...(framework === 'next' ? IN_NEXT : IN_ONE_SERVER),
})

const SERVER =
  'the server: the kit answers the pages, the launch and the session, and your routes are below'
const DOM = { pageFile: '`src/browser/main.ts`', rootFiles: 'tsconfig.json' }
const OF_FRAMEWORK: Readonly<Record<Framework, Readonly<Record<string, string>>>> = {
  express: DOM,
  fastify: DOM,
  hono: DOM,
  'react-vite': { pageFile: '`src/browser/app.tsx`', rootFiles: 'tsconfig.json vite.config.ts' },
  next: {
    pageFile: '`app/launched-app.tsx`, `src/browser/app.tsx`',
    rootFiles: 'tsconfig.json next.config.ts proxy.ts',
  },
}

const IN_REACT = {
  changeText: '`src/browser/app.tsx`: `OpenApp` is what the provider sees.',
}

const IN_ONE_SERVER = {
  serverFile: '`src/app.ts`',
  serverText: SERVER,
  routeText: '`src/app.ts`: add a route.',
  buildText: '',
  buildStep: '',
  pagesStep: '',
}

const IN_NEXT = {
  serverFile: '`src/chartside.ts`, `app/api/`',
  serverText:
    'the launch and the session, and the route handlers; `proxy.ts` sets the headers of the pages',
  routeText: '`app/api/me/route.ts`: a route handler of yours; add a folder for another.',
  pagesStep: 'COPY app ./app/\n',
  buildStep: 'RUN npm run build\n',
  buildText: `
\`npm start\` runs \`next build\` when a file has changed since the last one, then serves what was built. In the sandbox
the development server of Next.js runs in place of it, with a weaker policy; a saved component stands in the open page.

Pages are rendered for each request, because every script carries the nonce of its request. Styles are files: the policy refuses the \`style\`
attribute in markup of the server.
`,
}

const VENDORED = `
\`vendor/\` holds the Chartside packages as a checkout packed them, and \`package.json\` points there. Once they are published,
name their versions instead and drop the folder.
`

const IN_MEMORY =
  'Sessions and accepted ID tokens are kept in memory, or in the file of `SESSIONS_FILE`. Several machines need a database: `createSqlSessionStore` and `createSqlReplayStore` of the kit, beside `openFileStores`.'

const OF_OPTION: Readonly<Record<TokenOption, Readonly<Record<string, string>>>> = {
  1: {
    optionText:
      'this server exchanges the code, verifies the ID token and starts its own session; the page gives the tokens to the SDK (option 1).',
    optionFiles: '',
    memoryText: IN_MEMORY,
  },
  2: {
    optionText:
      'the SDK posts the code to `POST /token`, which exchanges it; the page then presents the ID token, and this server starts its own session (option 2).',
    optionFiles: '',
    memoryText: IN_MEMORY,
  },
  3: {
    optionText:
      'an identity provider exchanges the code and keeps the tokens on the user’s identity; this server reads the access token from its management API (option 3).',
    optionFiles: `| \`src/provider/\` | the identity provider of development: better-auth, on a port of its own |

A hosted provider takes the place of \`src/provider/\`: a custom OAuth connection called \`chartside\` with the client ID and secret, the authorize
and the token URL, and \`launch_id\` mapped to \`login_hint\`. Then write a \`begin\` in place of \`beginAtProvider\`, and change \`redeemTicket\` in \`src/provider/redeem-ticket.ts\`, the
provider's addresses and the management token in \`src/main.mjs\`, and the provider's addresses in \`chartside.app.json\`.
`,
    memoryText:
      'Sessions are kept in memory, or in the file of `SESSIONS_FILE`. Several machines need a database: `createSqlSessionStore` of the kit, beside `openFileStores`. The provider of development keeps its users in memory.',
  },
}

const OF_KIND: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  ui: {
    kindText: 'A UI app: its page opens in the panel.',
    changeText: '`src/browser/main.ts`: `showApp` is what the provider sees.',
  },
  worker: {
    kindText:
      'A Worker app: it has no screen and starts at once. `GET /` lists the users to every visitor: remove it before real people use the app.',
    changeText: '`src/browser/main.ts`: `watch` runs while the provider is present.',
  },
}
