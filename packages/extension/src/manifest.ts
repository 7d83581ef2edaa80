// The manifest of the extension, from the inputs of a build: least privilege, one service, one
// minimum version of the browser. Pure. Specification §5.5; docs/operate/extension.md has the reasons.

export interface BuildInputs {
  /** The name in the browser; self-hosted distributions have their own. */
  readonly name: string
  /** The version has four numbers at most, as the browser compares them. */
  readonly version: string
  /** The public key (base64 of its SubjectPublicKeyInfo); it decides the id. Null: the shop's. */
  readonly key: string | null
  /** The base URL of the service when no policy and no person sets it; null: the first-run page asks. */
  readonly service: string | null
  /** The host patterns of EHRs, granted at the installation instead of one by one. */
  readonly ehrHosts: readonly string[]
  /** A folder with 16.png, 48.png and 128.png of the distribution; without it, the icon of the project. */
  readonly icons?: string
  /** Admits a service and apps on loopback. */
  readonly isDevelopment: boolean
}

const LOOPBACK = ['http://localhost:*', 'http://*.localhost:*', 'http://127.0.0.1:*']

/** The JSON Schema of the policy; the browser reads it from the package. */
export const MANAGED_SCHEMA = {
  type: 'object',
  properties: {
    service: {
      type: 'string',
      title: 'Address of the service',
      description: 'Such as https://chartside.example. The extension calls no other origin.',
    },
    accountId: {
      type: 'string',
      title: 'Account of the practice',
      description: 'Only for people who are members of several accounts: the one to use.',
    },
  },
} as const

export function buildManifest(inputs: BuildInputs): Record<string, unknown> {
  const { name, version, key, ehrHosts, isDevelopment } = inputs
  const loopback = isDevelopment ? LOOPBACK : []
  return {
    manifest_version: 3,
    name,
    version,
    description: 'Opens the connected apps of your practice beside the chart.',
    // sidePanel.open, registered scripts, offscreen documents and chrome.sidePanel per tab.
    minimum_chrome_version: '126',
    ...(key === null ? {} : { key }),
    icons: ICONS,
    action: { default_title: name, default_icon: ICONS },
    background: { service_worker: 'background.js' },
    options_page: 'setup.html',
    // The service leads its tab there; what the page gets counts for the tab of a sign-in only.
    web_accessible_resources: [
      {
        resources: ['signed-in.html'],
        matches: listServicePatterns(inputs.service, isDevelopment),
      },
    ],
    permissions: ['sidePanel', 'storage', 'offscreen', 'scripting'],
    ...(ehrHosts.length > 0 ? { host_permissions: ehrHosts } : {}),
    optional_host_permissions: isDevelopment ? ['https://*/*', 'http://*/*'] : ['https://*/*'],
    side_panel: { default_path: 'panel.html' },
    storage: { managed_schema: 'managed-schema.json' },
    // A private window has no sign-in of its own, and must not use that of another window.
    incognito: 'not_allowed',
    commands: {
      _execute_action: { suggested_key: { default: 'Alt+Shift+S' } },
    },
    content_security_policy: { extension_pages: buildPolicy(loopback) },
  }
}

const listServicePatterns = (service: string | null, isDevelopment: boolean): string[] => {
  if (service === null) return isDevelopment ? ['https://*/*', 'http://*/*'] : ['https://*/*']
  const { protocol, hostname } = new URL(service)
  return [`${protocol}//${hostname}/*`]
}

const ICONS = { 16: 'icons/16.png', 48: 'icons/48.png', 128: 'icons/128.png' }

/**
 * The address of the service comes from a policy or a person, so the header admits every https origin;
 * background/service.ts and packages/host call the configured one only.
 */
function buildPolicy(loopback: readonly string[]): string {
  const also = loopback.map((origin) => ` ${origin}`).join('')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: https:${also}`,
    `connect-src https:${also}`,
    // Apps, and identity providers of option 3; and the panels of charts in the panel of a window.
    `frame-src 'self' https:${also}`,
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}
