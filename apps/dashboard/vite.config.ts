import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The dashboard, as static files that the extraction service serves. `vite` in this folder serves it as it is edited. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // The manifest says which files the first load takes.
  build: { outDir: 'dist', emptyOutDir: true, sourcemap: false, target: 'es2023', manifest: true },
  server: { proxy: { '/api': 'http://127.0.0.1:4100' } },
});
