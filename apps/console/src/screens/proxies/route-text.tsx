import { Badge } from '@mantine/core';
import classes from './proxies.module.css';

const methodColors: Readonly<Record<string, string>> = {
  GET: 'blue.9',
  HEAD: 'blue.9',
  POST: 'teal.9',
  PUT: '#9c4100',
  PATCH: '#9c4100',
  DELETE: 'red.9',
};

/** A method, by word and color. */
export function MethodBadge(props: { readonly method: string }) {
  return (
    <Badge color={methodColors[props.method] ?? 'gray.7'} variant="filled" radius="sm" className={classes.method!}>
      {props.method}
    </Badge>
  );
}

/** A path pattern, its parameters set off. */
export function PathText(props: { readonly path: string }) {
  const parts = props.path.split(/(\{[^{}/]*\}|\*$)/).filter((part) => part !== '');
  return (
    <span className={classes.path}>
      {parts.map((part, index) =>
        part.startsWith('{') || part === '*' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no identity but their place.
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
