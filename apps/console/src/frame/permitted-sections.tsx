import { type SectionLink, SectionLinks } from '@millrace/ui/section-links';
import { useSession } from './session.tsx';

export interface PermittedSection extends SectionLink {
  /** Without it, the part is not shown. */
  readonly permission: string;
}

/** Those parts of one entity's screen that whoever is signed in may see. The first of them is open to all. */
export function PermittedSections(props: {
  readonly label: string;
  readonly sections: readonly PermittedSection[];
  readonly params: Readonly<Record<string, string>>;
}) {
  const { can } = useSession();
  const sections = props.sections.filter(({ permission }) => can(permission));
  return <SectionLinks label={props.label} sections={sections} params={props.params} />;
}
