// Both halves bundled for a runtime without Node need nothing of it, and the browser half has no
// place for a secret. Contract §6; security R08.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Fails on any import of Node's modules. */
async function bundle(path: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [source(path)],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

test('builds the server half for Workers, with web-standard globals only', async () => {
  const text = await bundle('../src/server/index.ts')
  assert.ok(text.length > 1_000)
  assert.doesNotMatch(text, /\bprocess\.|\bBuffer\.|\brequire\(/)
})

test('builds a small browser half without a client secret [R08]', async () => {
  const text = await bundle('../src/browser/index.ts')
  assert.doesNotMatch(text, /client_?secret/i)
  assert.doesNotMatch(text, /localStorage|document\.cookie|\beval\b/)
  const bytes = brotliCompressSync(text).length
  // With drafts that belong to a chart: 200 bytes more than without.
  assert.ok(bytes < 6_300, `${bytes} bytes`)
})

test('builds the parts of a page without a client secret [R08]', async () => {
  const text = await bundle('../src/browser/page/index.ts')
  assert.doesNotMatch(text, /client_?secret/i)
  assert.doesNotMatch(text, /localStorage|document\.cookie|\beval\b|innerHTML/)
})

test('needs Node in adapters only', async () => {
  await assert.rejects(bundle('../src/adapters/express.ts'), /node:stream/)
})
