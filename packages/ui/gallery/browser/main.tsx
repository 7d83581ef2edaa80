// The page of all parts in all states, with invented data: `npm run tool -- ui` serves it, a browser test
// photographs it and checks it. Nothing here talks to a server.
/** @jsxImportSource preact */
import { useSignal } from '@preact/signals'
import { type ComponentChildren, render } from 'preact'
import { ToastList } from '../../src/index.ts'
import { Actions } from './actions.tsx'
import { LaunchParts } from './launch-parts.tsx'
import { PanelParts } from './panel-parts.tsx'
import { Records } from './records.tsx'
import { States } from './states.tsx'

export interface SectionProps {
  readonly title: string
  readonly children: ComponentChildren
}

const COLOURS = [
  'ground',
  'surface',
  'raised',
  'quiet',
  'accent',
  'accent-ground',
  'good',
  'warn',
  'bad',
]

function Gallery() {
  const toasts = useSignal([
    {
      id: 'published',
      tone: 'good' as const,
      text: 'Version 8 is published.',
      action: { label: 'Undo', onPress: () => {} },
    },
    {
      id: 'failed',
      tone: 'bad' as const,
      text: 'The secret could not be retired. Nothing has changed.',
    },
  ])
  return (
    <main class="gallery">
      <header>
        <h1>Parts of the pages</h1>
        <p class="quiet">
          Every part in every state, under the policy of the console and the side panel.
        </p>
      </header>
      <section class="part" aria-labelledby="colors">
        <h2 id="colors">Colors</h2>
        <ul class="swatches">
          {COLOURS.map((color) => (
            <li key={color} class={`swatch-${color}`}>
              {color}
            </li>
          ))}
        </ul>
      </section>
      <States />
      <Actions />
      <PanelParts />
      <Records />
      <LaunchParts />
      <section class="part" aria-labelledby="toasts">
        <h2 id="toasts">Toasts</h2>
        <ToastList
          toasts={toasts.value}
          onDismiss={(id) => {
            toasts.value = toasts.value.filter((toast) => toast.id !== id)
          }}
        />
      </section>
    </main>
  )
}

const root = document.getElementById('root')
if (root) render(<Gallery />, root)
