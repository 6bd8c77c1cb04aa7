import classes from './proxies.module.css';

/** A method, with its colour. */
export function MethodBadge({ method }: { readonly method: string }) {
  return (
    <span className={classes.method} data-method={method}>
      {method}
    </span>
  );
}

/** A path pattern with its parameters highlighted. */
export function PathText(props: { readonly path: string }) {
  const parts = props.path.split(/(\{[^{}/]*\}|\*$)/).filter((part) => part !== '');
  return (
    <span className={classes.path}>
      {parts.map((part, index) =>
        part.startsWith('{') || part === '*' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no identity but their position.
          <span key={`${index}${part}`} className={classes.parameter}>
            {part}
          </span>
        ) : (
          part
        ),
      )}
    </span>
  );
}
