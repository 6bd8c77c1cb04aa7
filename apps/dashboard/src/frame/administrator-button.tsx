import { ActionButton, type ActionButtonProps } from '@millrace/ui/action-button';
import { useIsAdministrator } from './session.tsx';

/** Why a control is disabled for members. */
const administratorsOnly = 'Only administrators can do this.';

/** A button that everyone sees and only administrators can press. */
export function AdministratorButton(props: ActionButtonProps) {
  const isAdministrator = useIsAdministrator();
  return <ActionButton {...props} blocked={isAdministrator ? props.blocked : administratorsOnly} />;
}
