import { createMemoryCounters } from './memory.ts';
import { describeCounters } from './testing.ts';

describeCounters('memory', async () => createMemoryCounters());
