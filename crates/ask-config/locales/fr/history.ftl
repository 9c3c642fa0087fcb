### History and statistics.

## The screen of history.

history-title = ask historique
history-looking = recherche ...
history-reconnecting = reconnexion
history-search = recherche :
history-agent = agent :
history-project = projet :
history-state = état :
history-undelivered = pas encore prise
history-period = période :
history-all = tous
history-always = tout
history-days = { $count ->
    [one] dernier jour
   *[other] { $count } derniers jours
}
history-today = AUJOURD'HUI
history-yesterday = HIER
history-empty = Rien n'est encore terminé.
history-nothing = Rien trouvé.
history-asked = { $time } demandée
history-shown = { $time } affichée dans { $surface }
history-taken-back = { $time } réponse reprise
history-ended = { $time } { $how }
history-note = note
history-reason = motif
history-not-sent = non envoyé
history-asked-back = contre-question
history-whole = Une question de l'historique
history-stats = Statistiques
history-head-answers = Ce qui a été répondu
history-head-asked = Ce qui a été demandé
history-head-reply = Ce que l'agent a reçu
history-again = Dans un champ de texte, { $key } commence maintenant par ces mots.
history-again-none = Rien n'a été dit ici avec ses propres mots.
history-writing = écriture ...
history-written = { $count ->
    [one] { $count } question écrite dans { $path }
   *[other] { $count } questions écrites dans { $path }
}

## How an ask ended. The surfaces are terminal, plain, cli, dialog, pending, app, bridge, api, web, rpc and names of programs.

history-end-waiting = en attente
history-end-answered = { $surface ->
    [api] réponse par un programme
    [cli] réponse par commande
    [dialog] réponse dans son dialogue
    [pending] réponse dans un fichier
    [plain] réponse en mode simple
    [terminal] réponse dans le terminal
    [web] réponse dans le navigateur
    [app] réponse dans la discussion
    [bridge] réponse dans l’application
    [rpc] réponse par un programme
   *[other] réponse via { $surface }
}
history-end-declined = { $surface ->
    [api] refus par un programme
    [cli] refus par commande
    [dialog] refus dans son dialogue
    [pending] refus dans un fichier
    [plain] refus en mode simple
    [terminal] refus dans le terminal
    [web] refus dans le navigateur
    [app] refus dans la discussion
    [bridge] refus dans l’application
    [rpc] refus par un programme
   *[other] refus via { $surface }
}
history-end-declined-because = refus : « { $reason } »
history-end-asked-back = { $surface ->
    [api] contre-question par un programme
    [cli] contre-question par commande
    [dialog] contre-question dans son dialogue
    [pending] contre-question dans un fichier
    [plain] contre-question en mode simple
    [terminal] contre-question dans le terminal
    [web] contre-question dans le navigateur
    [app] contre-question dans la discussion
    [bridge] contre-question dans l’application
    [rpc] contre-question par un programme
   *[other] contre-question via { $surface }
}
history-end-expired = expirée
history-end-expired-sent-late = expirée, envoyée tard
history-end-expired-kept = expirée, gardée pour l'agent
history-end-withdrawn = retirée par l'agent
history-told = envoyée à l'agent { $time }
history-told-late = envoyée tard { $time }
history-not-told = non envoyée

## A history as Markdown.

export-none = Aucun de ces choix.
export-unanswered = Sans réponse.
export-note = Note : { $note }

## Statistics.

stats-asks = { $count ->
    [one] { $count } question
   *[other] { $count } questions
}
stats-brief = { $asks } · { $answered } % avec réponse · médiane { $median }
stats-row = { $label } : { $value }
stats-waiting = { $count ->
    [one] { $count } attend, depuis { $longest }
   *[other] { $count } attendent, au plus depuis { $longest }
} · maximum du jour { $today }
stats-waiting-none = rien n'attend
stats-waiting-none-today = rien n'attend · maximum du jour { $today }
stats-outcomes = Comment elles ont fini
stats-end-answered = avec réponse
stats-end-late = tardives
stats-end-declined = refusées
stats-end-asked-back = contre-question
stats-end-expired = expirées
stats-end-withdrawn = retirées
stats-days = Questions par jour
stats-by-surface = Temps de réponse par interface
stats-by-hour = Temps de réponse par heure du jour
stats-took = { $median }, neuf sur dix en { $ninety } ({ $count })
stats-agents = Comment on répond à chaque agent
stats-nameless = sans nom
stats-recommended = recommandé { $part } %
stats-another = autre choix { $part } %
stats-own = texte libre { $part } %
stats-notes = { $count ->
    [one] { $count } note
   *[other] { $count } notes
}
stats-ask-backs = { $count ->
    [one] { $count } contre-question
   *[other] { $count } contre-questions
}
