/** Where an organization's chain ends: its last row's number and MAC. */
export interface ChainEnd {
  readonly sequence: bigint;
  readonly hash: Buffer;
}

/** How long an organization's ends are asked for after a wrong guess: another process writes there too. */
const distrustMs = 60_000;
const mostOrganizations = 10_000;

interface Known {
  /** As this process's last commit left it; null: ask the database. */
  end: ChainEnd | null;
  distrustedUntilMs: number;
  /** Settled when the last of those in line has left. */
  line: Promise<void>;
}

/**
 * The ends of the chains as this process's writes left them. A write that guesses its chain's end right doesn't need to
 * read it; the database detects a wrong guess. In an organization, one write at a time has its turn for its row and its
 * commit, which follow each other in the database as well.
 */
export class ChainEnds {
  readonly #known = new Map<string, Known>();
  #committed = new Map<string, ChainEnd>();
  #onCommit: () => void = () => undefined;

  /** @param listener called whenever there is something to {@link takeCommitted} */
  onCommit(listener: () => void): void {
    this.#onCommit = listener;
  }

  /** The last ends that this process has committed since it was last asked, by organization. */
  takeCommitted(): ReadonlyMap<string, ChainEnd> {
    const committed = this.#committed;
    this.#committed = new Map();
    return committed;
  }

  /** @param mayGuess false where the end was guessed wrong before */
  turn(mayGuess: boolean): ChainTurn {
    const committed = (organizationId: string, end: ChainEnd) => {
      this.#committed.set(organizationId, end);
      this.#onCommit();
    };
    return new ChainTurn((organizationId) => this.#of(organizationId), committed, mayGuess);
  }

  #of(organizationId: string): Known {
    let known = this.#known.get(organizationId);
    if (known === undefined) {
      // One that is forgotten while writes are in line costs them a wrong guess at most.
      const [oldest] = this.#known.keys();
      if (this.#known.size >= mostOrganizations && oldest !== undefined) this.#known.delete(oldest);
      known = { end: null, distrustedUntilMs: 0, line: Promise.resolve() };
      this.#known.set(organizationId, known);
    }
    return known;
  }
}

/** One write's turn at the end of a chain, from its audit row to its commit. */
export class ChainTurn {
  readonly #find: (organizationId: string) => Known;
  readonly #committed: (organizationId: string, end: ChainEnd) => void;
  readonly #mayGuess: boolean;
  #known: Known | null = null;
  #organizationId = '';
  #guessed = false;
  #leave: () => void = () => undefined;

  constructor(
    find: (organizationId: string) => Known,
    committed: (organizationId: string, end: ChainEnd) => void,
    mayGuess: boolean,
  ) {
    this.#find = find;
    this.#committed = committed;
    this.#mayGuess = mayGuess;
  }

  get guessed(): boolean {
    return this.#guessed;
  }

  /** Waits for the writes before this one; the end that the chain presumably has then, or null: lock it and ask. */
  async begin(organizationId: string): Promise<ChainEnd | null> {
    const known = this.#find(organizationId);
    const before = known.line;
    const { promise, resolve } = Promise.withResolvers<void>();
    known.line = promise;
    this.#leave = resolve;
    this.#known = known;
    this.#organizationId = organizationId;
    await before;
    const end = this.#mayGuess && known.distrustedUntilMs <= Date.now() ? known.end : null;
    this.#guessed = end !== null;
    known.end = null;
    return end;
  }

  /** Ends the turn; `committed` is the end that the chain has now, null where nothing was committed. */
  end(committed: ChainEnd | null, guessedWrong = false): void {
    if (this.#known === null) return;
    this.#known.end = committed;
    if (guessedWrong) this.#known.distrustedUntilMs = Date.now() + distrustMs;
    this.#leave();
    if (committed !== null) this.#committed(this.#organizationId, committed);
  }
}
