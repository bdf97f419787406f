/**
 * Explains why a server or a tool does not work: the cause, the evidence and the next step. Start
 * at {@link dev.patchbay.doctor.Doctor}; {@link dev.patchbay.doctor.Cause} lists the causes.
 */
@NullMarked
package dev.patchbay.doctor;

import org.jspecify.annotations.NullMarked;
