import type * as z from 'zod';

export type Json = z.core.util.JSONType;

export type JsonObject = { [key: string]: Json };

/** An OpenAPI 3.1 document as parsed JSON. */
export type OpenApiDocument = JsonObject;
