import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The dashboard, as static files that the extraction service serves. `vite` in this folder serves it as it is edited. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // The manifest says which files the first load takes.
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    target: 'es2023',
    // Browsers that have light-dark(): replaced, it would follow no colour scheme but the system's.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: true,
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:4100' } },
});
