import { config } from 'zod';

// The page's security policy forbids to compile code from text, which the schemas would otherwise try. To be imported
// before any schema is made.
config({ jitless: true });
