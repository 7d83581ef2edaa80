// `chartside health`: whether the service on this machine answers, for the health check of a container or
// a script. Asks the address that the settings name; opens no database, and costs little.
import { request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { type Config, explainFailure, parseConfig } from '@chartside/server/operator/runtime'
import { Command } from 'commander'
import { withJson } from './output.ts'

const TIMEOUT_MS = 2500
const EVERY_ADDRESS = ['0.0.0.0', '::']

export const healthCommand = () =>
  withJson(new Command('health'))
    .description(
      'Asks the service on this machine whether it answers. Exits with 1 when it does not.',
    )
    .option('--ready', 'whether it is ready: the database accepts writes and the clock is right')
    // The answer of the service is JSON, so --json changes nothing.
    .action(async ({ ready }: { ready?: true }) => {
      try {
        const { config } = parseConfig(process.env)
        const { status, text } = await ask(config, ready ? '/health/ready' : '/health/live')
        process.stdout.write(`${text}\n`)
        if (status !== 200) process.exitCode = 1
      } catch (error) {
        process.stderr.write(`${explainFailure(error)}\n`)
        process.exitCode = 1
      }
    })

function ask(
  { host, port, tlsCertFile }: Config,
  path: string,
): Promise<{ status: number; text: string }> {
  const options = {
    host: EVERY_ADDRESS.includes(host) ? '127.0.0.1' : host,
    port,
    path,
    timeout: TIMEOUT_MS,
    // The certificate is for the public name; this asks the own machine, and sends no secret.
    rejectUnauthorized: false,
  }
  return new Promise((resolve, reject) => {
    const request = (tlsCertFile ? requestTls : requestPlain)(options, (answer) => {
      let text = ''
      answer.on('data', (chunk) => {
        text += String(chunk)
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    request.on('timeout', () => request.destroy(new Error('it did not answer in time')))
    request.on('error', ({ message }) =>
      reject(new Error(`The service on port ${port} does not answer: ${message}`)),
    )
    request.end()
  })
}
