### The page without scripts: what waits, and each ask as a form.

form-pair = Cet appareil n’est pas encore admis. Ouvrez cette page avec les scripts et lancez `ask-user pair` sur l’ordinateur :
form-sign-in = Pour répondre ici, connectez ce navigateur : lancez `ask-user web --print` et collez le lien affiché.
form-link = Le lien ou sa clé
form-sign-in-button = Se connecter
form-wrong-key = Cette clé n’ouvre rien : elle a déjà servi ou date de plus de deux minutes. Relancez `ask-user web --print`.
form-waiting = Ce qui vous attend
form-send = Envoyer
form-send-gaps = Envoyer quand même
form-gaps = Rien n’a été envoyé : quelque chose manque ou ne convient pas. C’est signalé ci-dessous.
form-gap = Cette question attend une réponse, ou la réponse ne lui convient pas.
form-torn = « Aucun de ces choix » et un choix sont tous deux cochés ici : retirez l’un des deux.
form-note = Une note pour cette réponse
form-note-all = Une note pour toutes les réponses
form-back = Retour à ce qui attend
form-again = Ce formulaire était trop ancien : rien n’a été envoyé. Le revoici.
form-say-what = Rien n’a été envoyé : dites ce que vous voulez savoir.

## What a browser is shown where there is no page, or where something didn't happen.

form-nothing-here = Il n’y a rien ici
form-nothing-here-says = Aucune partie de cette page n’a cette adresse.
form-without-scripts = Sans JavaScript, un simple formulaire fait la même chose.
form-to-page = Vers la boîte
form-gone = Cette question n’est pas ici
form-gone-says = Elle a été supprimée, ou son adresse est incomplète.
form-other-host = Ce n’est pas l’adresse de la page
# $address is that of this computer, for browsers on it.
form-other-host-says = Sur cet ordinateur, c’est { $address }. Les téléphones utilisent l’adresse qu’affiche `ask-user pair`.
form-other-site = Un autre site a mené ici
form-other-site-says = Rien n’est ouvert ni envoyé pour d’autres sites. Continuez vous-même d’ici :
form-only-sees = Cet appareil ne fait que voir
form-only-sees-says = Rien n’a été envoyé. Répondez sur l’ordinateur, ou admettez-y de nouveau cet appareil pour qu’il puisse répondre.
form-shut-out = Aucun appareil n’est admis pour le moment
form-shut-out-says = Rien n’a été envoyé. Activez-le sur l’ordinateur : avec « ask-user pair » ou dans les réglages de la page. Cet appareil n’a pas besoin d’un nouveau code.
form-too-much = C’était trop
form-too-much-says = Rien n’a été envoyé. Revenez en arrière et envoyez moins à la fois.
form-not-taken = Cela n’a pas été accepté
form-not-taken-says = Rien n’a été envoyé. Revenez en arrière et réessayez.
form-no-hub = C’est impossible pour le moment
form-no-hub-says = Revenez en arrière et réessayez dans un instant. `ask-user doctor` dit ce qui ne va pas.
form-kept-meanwhile = Rien n’a été envoyé : ce navigateur n’est pas connecté. Ce que vous avez rempli est gardé en attendant.
form-signed-in = Vous êtes connecté. Rien n’a encore été envoyé : relisez, puis envoyez.
form-yours = Ce que vous aviez écrit
form-overheard = Non chiffré : quiconque est sur le même réseau peut lire et agir à votre place.
form-only-sees-asks = Cet appareil peut seulement voir les questions. Répondez à l'ordinateur, ou admettez-y cet appareil à nouveau pour qu'il puisse répondre.
