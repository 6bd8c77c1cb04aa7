export { createEnginePool, type EnginePool } from './pool/pool.ts';
