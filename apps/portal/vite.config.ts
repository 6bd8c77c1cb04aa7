import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * The signed-in part of the developer portal, and the scripts of its public pages, as files that the control process
 * serves. There is no page among them: the server renders it, and finds each file by the manifest.
 */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // Files find each other, wherever the portal is: below a path, or at a host name of its own.
  base: './',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    target: 'es2023',
    // Browsers that have light-dark(): replaced, it would follow no colour scheme but the system's.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: true,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      input: { app: 'src/main.tsx', try: 'islands/try/main.ts' },
    },
  },
});
