// How Vite builds the script of the page: the plugin of React, and what you add. src/app.ts names
// the sources.
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [react()], publicDir: false, logLevel: 'warn' })
