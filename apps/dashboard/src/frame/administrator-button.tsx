import { ActionButton, type ActionButtonProps } from '@millrace/ui/action-button';
import { useIsAdministrator } from './session.tsx';

/** Why something stands still for a member who is no administrator. */
const administratorsOnly = 'Only an administrator of the account can do this.';

/** A button that everybody sees and administrators can press. */
export function AdministratorButton(props: ActionButtonProps) {
  const isAdministrator = useIsAdministrator();
  return <ActionButton {...props} blocked={isAdministrator ? props.blocked : administratorsOnly} />;
}
