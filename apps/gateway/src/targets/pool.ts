/** Connections to one endpoint. */
export interface ConnectionPool {
  /** Idle connections are closed, and none is kept from now on. */
  retire(): void;
}
