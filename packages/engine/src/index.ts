export { createEnginePool, type EnginePool, type EnginePoolOptions } from './pool/pool.ts';
