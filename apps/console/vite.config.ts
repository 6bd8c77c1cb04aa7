import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The console, as static files that the management API serves. `npm run dev` in this folder serves it as it is edited. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    target: 'es2023',
    // Browsers that have light-dark(): replaced, it would follow no colour scheme but the system's.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 2_000,
    // What several screens share is one file instead of 60 small ones, each a request, before a screen is shown.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'kit', test: /\/node_modules\/|\/packages\/(?:ui|operations)\//, minShareCount: 4 }],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:4200', '/api-docs': 'http://127.0.0.1:4200' } },
});
