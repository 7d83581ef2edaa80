// The settings of what the service listens on: addresses, ports, TLS. Part of the table of settings.ts.
// Pure; config.ts applies the table to an environment.
import type { Setting } from './setting.ts'
import { integer, text } from './setting-parsers.ts'

export const LISTENER_SETTINGS = {
  host: {
    variable: 'CHARTSIDE_HOST',
    fallback: '127.0.0.1',
    help: 'Address to listen on.',
    parse: text,
  },
  port: {
    variable: 'CHARTSIDE_PORT',
    fallback: '4700',
    help: 'Port to listen on.',
    parse: integer(1, 65_535),
  },
  tlsCertFile: {
    variable: 'CHARTSIDE_TLS_CERT_FILE',
    fallback: '',
    help: 'PEM file with the certificate and its chain, for TLS in the service itself. A new file is served within seconds, or at SIGHUP.',
    parse: text,
  },
  tlsKeyFile: {
    variable: 'CHARTSIDE_TLS_KEY_FILE',
    fallback: '',
    help: 'PEM file with the private key of the certificate, without a passphrase.',
    parse: text,
  },
  metricsPort: {
    variable: 'CHARTSIDE_METRICS_PORT',
    fallback: '0',
    help: 'Port for GET /metrics, as Prometheus text; only collectors should reach it. 0 is off.',
    parse: integer(0, 65_535),
  },
  metricsHost: {
    variable: 'CHARTSIDE_METRICS_HOST',
    fallback: '127.0.0.1',
    help: 'Address for the port of the metrics, which has no authentication. In a container 0.0.0.0, so that a collector beside it gets in.',
    parse: text,
  },
  workers: {
    variable: 'CHARTSIDE_WORKERS',
    fallback: '1',
    help: 'Processes of the service behind the one port; more than one needs PostgreSQL. The metrics of each are on a port of its own, counted up from CHARTSIDE_METRICS_PORT.',
    parse: integer(1, 64),
  },
} satisfies Record<string, Setting<unknown>>
