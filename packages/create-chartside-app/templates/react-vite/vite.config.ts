// How Vite builds the script of the page: the plugin of React, and what you add. The sources are named
// in src/assets.ts.
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [react()], publicDir: false, logLevel: 'warn' })
