import { type SectionLink, SectionLinks } from '@millrace/ui/section-links';
import { useSession } from './session.tsx';

export interface PermittedSection extends SectionLink {
  /** Without it, the section is not shown. */
  readonly permission: string;
}

/** Links to the sections of an entity's screen that the signed-in user can read. */
export function PermittedSections(props: {
  readonly label: string;
  readonly sections: readonly PermittedSection[];
  readonly params: Readonly<Record<string, string>>;
}) {
  const { can } = useSession();
  const sections = props.sections.filter(({ permission }) => can(permission));
  return <SectionLinks label={props.label} sections={sections} params={props.params} />;
}
