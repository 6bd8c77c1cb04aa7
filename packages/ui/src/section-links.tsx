import { Link, type LinkProps, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import classes from './section-links.module.css';

/** A part of an entity's screen that has an address of its own. */
export interface SectionLink {
  readonly to: LinkProps['to'];
  /** Without it, the params of the whole screen. */
  readonly params?: Readonly<Record<string, string | undefined>>;
  readonly label: string;
  /** How many things wait there; 0 is not shown. */
  readonly count?: number;
}

/** The parts of one entity's screen, the first of them at the entity's own address: links that look like tabs. */
export function SectionLinks(props: {
  /** What the links navigate, for screen readers. */
  readonly label: string;
  readonly sections: readonly SectionLink[];
  readonly params?: Readonly<Record<string, string>>;
  /** Whether each link keeps what else the address says. */
  readonly keepsSearch?: boolean;
}) {
  const { label, sections, params, keepsSearch = false } = props;
  const { pathname } = useLocation();
  const tabs = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current part depends on the address.
  useEffect(() => {
    const current = tabs.current?.querySelector('[aria-current="page"]');
    current?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [pathname]);
  return (
    <nav aria-label={label} className={classes.tabs} ref={tabs}>
      {sections.map((section, index) => (
        <Link
          key={section.label}
          to={section.to}
          params={(section.params ?? params) as never}
          search={keepsSearch as never}
          activeOptions={{ exact: index === 0, includeSearch: false }}
          className={classes.tab!}
        >
          {section.label}
          {section.count !== undefined && section.count > 0 && ` (${section.count})`}
        </Link>
      ))}
    </nav>
  );
}
