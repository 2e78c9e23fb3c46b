package io.keelson.resources.core;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Which numbers of a range are taken, by whichever server. Thread-safe; may do I/O, so no lock is held around it. */
public interface Reservations {
    /** For one server that keeps all in memory. */
    static Reservations inMemory() {
        Set<Long> taken = ConcurrentHashMap.newKeySet();
        return new Reservations() {
            @Override
            public boolean take(long number) {
                return taken.add(number);
            }

            @Override
            public boolean isFree(long number) {
                return !taken.contains(number);
            }

            @Override
            public void giveBack(long number) {
                taken.remove(number);
            }

            @Override
            public Set<Long> taken() {
                return Set.copyOf(taken);
            }

            @Override
            public void giveBackUnused(Set<Long> used) {
                taken.retainAll(used);
            }
        };
    }

    /** Takes a number for good; false where someone has it. */
    boolean take(long number);

    boolean isFree(long number);

    /** Frees a number, whether or not it was taken. A number that cannot be freed now stays taken until a later start. */
    void giveBack(long number);

    /** All numbers that are taken. */
    Set<Long> taken();

    /** Frees what nobody uses, short of numbers that were taken so recently that their use may be under way. */
    void giveBackUnused(Set<Long> used);
}
