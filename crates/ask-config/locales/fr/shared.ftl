### Words that several surfaces share: who asks, how it ended, what was answered.

## Who asks

shared-an-agent = un agent
shared-agent-left = L'agent n'attend plus ; votre réponse sera gardée.
# $ago is a short time as in "2m" or "1h".
shared-earlier-answer = Vous avez répondu à ceci il y a { $ago } : { $answer }
shared-earlier-answer-none = Il n'y a ici aucune réponse précédente avec laquelle remplir.
shared-filled-in-below = Rempli non par vous, mais par un programme lancé sous { $agent } : vérifiez avant d'envoyer.
shared-filled-in-by = Rempli non par vous, mais par un programme lancé sous { $agent }.

## What can be chosen

shared-other = Autre (tapez votre réponse)
shared-yes = Oui
shared-no = Non
shared-none-of-these = aucun de ces choix
# Behind what was chosen: the person's own words besides.
shared-own-answer = + réponse libre : { $words }
# Between the thousands of a number.
shared-thousands-mark = { "\u00A0" }

## While answers are given

shared-field-full = Le champ est plein (256 KiB) : ce qui suit est omis.
shared-not-sent = Rien de votre texte n'a été envoyé.
shared-nothing-chosen = Rien de choisi : encore { $enter } envoie « aucun de ces choix »
# The same where other questions follow.
shared-nothing-chosen-here = Rien de choisi : encore { $enter } dit « aucun de ces choix », { $tab } continue sans

## How an ask was closed. $surface is where: terminal, plain, cli, dialog, pending, api, app, bridge, web, rpc, "none", or another that $name names; $at is the time of day.

shared-closed-answered = { $surface ->
    [none] RÉPONSE DONNÉE  { $at }
    [cli] RÉPONSE PAR COMMANDE  { $at }
    [dialog] RÉPONSE DANS SON DIALOGUE  { $at }
    [pending] RÉPONSE DANS UN FICHIER  { $at }
    [plain] RÉPONSE EN MODE SIMPLE  { $at }
    [terminal] RÉPONSE DANS LE TERMINAL  { $at }
    [api] RÉPONSE PAR UN PROGRAMME  { $at }
    [app] RÉPONSE DANS LA DISCUSSION  { $at }
    [bridge] RÉPONSE DANS L’APPLICATION  { $at }
    [rpc] RÉPONSE PAR UN PROGRAMME  { $at }
    [web] RÉPONSE DANS LE NARÉPONSE DONNÉEIGATEUR  { $at }
   *[other] RÉPONSE VIA { $name }  { $at }
}
shared-closed-declined = { $surface ->
    [none] REFUSÉE  { $at }
    [cli] REFUSÉE PAR COMMANDE  { $at }
    [dialog] REFUSÉE DANS SON DIALOGUE  { $at }
    [pending] REFUSÉE DANS UN FICHIER  { $at }
    [plain] REFUSÉE EN MODE SIMPLE  { $at }
    [terminal] REFUSÉE DANS LE TERMINAL  { $at }
    [api] REFUSÉE PAR UN PROGRAMME  { $at }
    [app] REFUSÉE DANS LA DISCUSSION  { $at }
    [bridge] REFUSÉE DANS L’APPLICATION  { $at }
    [rpc] REFUSÉE PAR UN PROGRAMME  { $at }
    [web] REFUSÉE DANS LE NAREFUSÉEIGATEUR  { $at }
   *[other] REFUSÉE VIA { $name }  { $at }
}
shared-closed-asked-back = { $surface ->
    [none] CONTRE-QUESTION  { $at }
    [cli] CONTRE-QUESTION PAR COMMANDE  { $at }
    [dialog] CONTRE-QUESTION DANS SON DIALOGUE  { $at }
    [pending] CONTRE-QUESTION DANS UN FICHIER  { $at }
    [plain] CONTRE-QUESTION EN MODE SIMPLE  { $at }
    [terminal] CONTRE-QUESTION DANS LE TERMINAL  { $at }
    [api] CONTRE-QUESTION PAR UN PROGRAMME  { $at }
    [app] CONTRE-QUESTION DANS LA DISCUSSION  { $at }
    [bridge] CONTRE-QUESTION DANS L’APPLICATION  { $at }
    [rpc] CONTRE-QUESTION PAR UN PROGRAMME  { $at }
    [web] CONTRE-QUESTION DANS LE NACONTRE-QUESTIONIGATEUR  { $at }
   *[other] CONTRE-QUESTION VIA { $name }  { $at }
}
shared-closed-expired = EXPIRÉE  { $at }
shared-closed-withdrawn = RETIRÉE PAR L'AGENT  { $at }
shared-no-reason = Aucun motif donné.
shared-reason = Motif : { $reason }
shared-asked-back = Contre-question : { $words }
shared-time-passed = Le délai de l'agent est passé ; il n'a appris que cela.
shared-taken-back = L'agent a retiré la question.

## What became of what the person just did. $who is who asks.

shared-done-waiting = Toujours en attente ; votre brouillon est gardé.
shared-done-answered = Réponse envoyée à { $who }.
shared-done-declined = Refusée ; { $who } en est informé.
shared-done-asked-back = Votre question est partie chez { $who }.
shared-done-expired = Elle a expiré.
shared-done-withdrawn = L'agent l'a retirée.
shared-kept-answer = Réponse gardée pour { $who }, qui n'attend plus.
shared-kept-no = Votre refus est gardé pour { $who }, qui n'attend plus.
shared-kept-question = Votre question est gardée pour { $who }, qui n'attend plus.

## Lengths of time, as narrow as people write them: they stand in columns. $rest has two digits.

shared-seconds = { $count } s
shared-minutes = { $count } min
shared-hours = { $count } h
shared-days = { $count } j
shared-minutes-seconds = { $whole } min { $rest } s
shared-hours-minutes = { $whole } h { $rest } min
shared-days-hours = { $whole } j { $rest } h
shared-day = { $day }/{ $month }

## Where something was done or shown, where it is named alone.

shared-below-agent = lancé sous { $agent }
shared-surface = { $surface ->
    [api] programme
    [app] discussion
    [bridge] application
    [cli] ligne de commande
    [dialog] dialogue
    [pending] fichier
    [plain] mode simple
    [rpc] programme
    [terminal] terminal
    [web] navigateur
   *[other] { $surface }
}
