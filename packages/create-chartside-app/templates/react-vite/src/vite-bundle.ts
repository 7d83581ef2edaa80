// Makes the scripts and the style sheet of the pages with Vite and vite.config.ts, one file for each
// source, because the pages name them. Writes no file.
import { fileURLToPath } from 'node:url'
import type { Bundler } from '@chartside/app-kit/node'

export const bundleWithVite: Bundler = async (sources) => {
  const texts = Object.entries(sources).map(async ([path, source]): Promise<[string, string]> => {
    return [path, await buildOne(source, path.endsWith('.css'))]
  })
  return new Map(await Promise.all(texts))
}

async function buildOne(input: string, isStyle: boolean): Promise<string> {
  const { build } = await import('vite')
  const result = await build({
    root: fileURLToPath(new URL('..', import.meta.url)),
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      cssMinify: false,
      rolldownOptions: { input, output: { format: isStyle ? 'es' : 'iife' } },
    },
  })
  const outputs = [result].flat().flatMap((each) => ('output' in each ? each.output : []))
  for (const output of outputs) {
    if (isStyle && output.type === 'asset') return String(output.source)
    if (!isStyle && output.type === 'chunk') return output.code
  }
  throw new Error(`Vite built nothing of ${input}.`)
}
