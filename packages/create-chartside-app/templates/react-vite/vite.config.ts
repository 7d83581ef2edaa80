// How Vite builds the page's script: React's plugin, and what you add. src/assets.ts names the sources.
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [react()], publicDir: false, logLevel: 'warn' })
