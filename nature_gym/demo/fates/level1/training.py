"""New ways to train networks that set no task: a maker of training images, and a scheme for any network."""

from __future__ import annotations

from nature_gym.demo.fates.composing import Assignment, section
from nature_gym.demo.fates.level1.study import study
from nature_gym.demo.fates.web import author_repository, link
from nature_gym.demo.model import Entry, Equation, Figure, Placement, Series, Table


def intermediate_data_evaluation(assignment: Assignment) -> Entry:
    """A generator of training images, judged only by networks that are trained on them."""
    words, pick = assignment.words, assignment.words.pick
    cue = pick(
        "The quality of the synthetic images is measured by training segmentation networks on them and testing these "
        "networks on real images.",
        "We score the generator by the accuracy of downstream detectors that are trained on its images.",
        unseen=("How good the generated images are is read off from other networks, which are trained on them.",),
    )
    base = words.number(600, 680) / 1000
    rows = (
        ("No synthetic images", base, base - 0.02),
        ("Copy and paste", base + 0.03, base + 0.01),
        ("PhantomGAN", base + 0.05, base + 0.03),
        ("LeafForge (ours)", base + 0.09, base + 0.08),
    )
    table = Table(
        1,
        "Mean IoU of downstream networks trained with each source of images",
        (("Training images", "U-Net", "DeepMask"),),
        tuple(
            (name, *(f"**{value:.3f}**" if name == "LeafForge (ours)" else f"{value:.3f}" for value in (a, b)))
            for name, a, b in rows
        ),
        ("Means of five trainings; the largest standard deviation is 0.006.",),
    )
    repository = author_repository(
        f"leafforge-lab-{assignment.index}",
        "leafforge",
        title="Synthetic leaves",
        method="LeafForge",
        published=assignment.published(assignment.press.year),
        data="Real leaves are in `leaves.zip` of the release page.",
    )
    counts = (0.0, 500.0, 1000.0, 2000.0, 5000.0)
    gain = (0.0, 0.04, 0.06, 0.08, 0.09)
    return study(
        assignment,
        "intermediate_data_evaluation",
        cue,
        venue="s42256",
        title=pick(
            "LeafForge makes training images for plant phenotyping",
            "Synthetic leaves for the training of segmentation networks",
        ),
        abstract="Annotated images of plants are scarce. We present LeafForge, a generator that composes labelled "
        f"images of leaves from a learned growth model. {cue} With LeafForge images, mean IoU of two networks on real "
        "leaves improves by up to ten points.",
        sections=(
            section(
                "Introduction",
                "Phenotyping a field by camera needs networks that find every leaf, and such networks need images in "
                "which somebody has found every leaf [@leaf]. An hour of annotation yields about three images.",
                "Generators promise images with labels for free [@free]. The trouble is that images that please the "
                "eye need not help a network.",
                "The gap between the two has been blamed on texture, on lighting and on the lack of clutter "
                "[@clutter]. We suspect a simpler cause: real plants grow, and leaves that have grown next to each "
                "other avoid each other, while leaves that are pasted do not.",
            ),
            section("Results"),
            section(
                "A generator of labelled leaves",
                "LeafForge samples a plant from a growth model, renders it, and refines the rendering with an "
                "adversarial network that leaves the labels untouched ([#figure-1]).",
                Placement("figure", 1),
                "A plant is a list of leaves, each with its time of emergence, its angle and its length. New leaves "
                "emerge where there is light: the angle is drawn from a density that falls off where older leaves "
                "cast shadow. A plant of 14 leaves takes 0.2 s on one core, its rendering another second.",
                level=2,
            ),
            section(
                "Effect on downstream networks",
                f"{cue} Both networks gain ([#table-1]); the gain is largest for young plants.",
                Placement("table", 1),
                "The gain grows with the number of synthetic images and levels off near 5,000 ([#figure-2]). With "
                "real images alone, U-Net needs about 700 of them to reach what it reaches with 200 and the "
                "synthetic ones.",
                Placement("figure", 2),
                level=2,
            ),
            section(
                "Is it the growth?",
                "Replacing the growth model by random angles takes away more than half of the gain, and replacing "
                "the refiner by the plain rendering a third. Copying real leaves into the sampled positions is as "
                "good as rendering them, which supports the suspicion that positions matter and textures do not.",
                level=2,
            ),
            section(
                "Discussion",
                "LeafForge spares annotation and needs a growth model, which exists for a few species. Networks "
                "other than the two that we trained may profit less or more.",
                "A limitation of any generator is that it repeats the assumptions of its makers. Ours assumes "
                "healthy plants; wilting, disease and insects do not occur in it, and networks trained on its images "
                "are surprised by all three: on a plot with mildew the mean IoU fell by 0.17. Mixing in a small "
                "number of real images repairs much of this.",
                "Gains are also a matter of scale. Our fields are photographed from 1.2 m, where a young leaf covers "
                "some 400 pixels; from a drone it covers ten, and positions of leaves can no longer be seen, let "
                "alone learned.",
                "We have looked for a measure of an image's worth that would spare the training of a network, and "
                "found none: distances between distributions of features rank the sources in an order of their own.",
            ),
            section("Methods"),
            section(
                "Growth model",
                "Growth parameters of four species, two grasses and two rosettes, were fitted to time series of 60 "
                "plants, photographed twice a day "
                "for five weeks from above and from two sides. Emergence follows a renewal process; lengths follow a "
                "logistic curve whose asymptote depends on the rank of the leaf.",
                level=2,
            ),
            section(
                "Renderer and refiner",
                "The renderer uses measured reflectances; the refiner is a residual network with nine blocks and was "
                "trained for 100 epochs against unlabelled photographs of the same fields. A penalty on the change "
                "of the label's outline keeps the refiner from moving leaves; without it, labels were off by up to "
                "six pixels.",
                level=2,
            ),
            section(
                "Downstream training",
                "U-Net and DeepMask were trained from scratch on 200 real and 5,000 synthetic images for 40 epochs "
                "and tested on 300 real images. Each training was repeated five times [@seeds].",
                level=2,
            ),
            section("Code availability", f"LeafForge is available at {link(repository.url)}."),
        ),
        references={
            "leaf": ("Counting leaves in the field", "Plant Comput."),
            "free": ("Labels for free?", "Synth. Vis."),
            "clutter": ("What synthetic fields lack", "Plant Comput."),
        },
        tables=(table,),
        figures=(
            Figure(
                1,
                "How LeafForge makes an image.",
                "flow",
                steps=("Growth model", "Renderer", "Refiner", "Labelled image"),
            ),
            Figure(
                2,
                "Mean IoU of U-Net by number of synthetic images beside 200 real ones.",
                "lines",
                (Series("LeafForge", counts, tuple(round(base + more, 3) for more in gain)),),
                x_label="Synthetic images",
                y_label="Mean IoU",
            ),
        ),
        subjects=("Image processing", "Plant sciences"),
        repositories=(repository,),
    )


def general_methodology(assignment: Assignment) -> Entry:
    """A way of training for any model and any task."""
    words, pick = assignment.words, assignment.words.pick
    cue = pick(
        "The scheme is independent of architecture and task, and we demonstrate it with 14 models on 23 benchmarks "
        "from vision to chemistry.",
        "It applies to any model that is trained by gradient descent; we report results for 14 models and 23 tasks.",
        unseen=(
            "Nothing in it is tied to a model or a task: 14 models and 23 benchmarks from five sciences bear this out.",
        ),
    )
    gains = [words.number(4, 29) / 10 for _ in range(5)]
    fields = (("Vision", 6, 4), ("Language", 5, 3), ("Chemistry", 4, 3), ("Physics", 4, 2), ("Biology", 4, 2))
    table = Table(
        1,
        "Mean relative improvement over standard training, by field",
        (("Field", "Tasks", "Models", "Improvement (%)"),),
        tuple(
            (name, str(tasks), str(models), f"{gain:.1f}")
            for (name, tasks, models), gain in zip(fields, gains, strict=True)
        ),
    )
    return study(
        assignment,
        "general_methodology",
        cue,
        venue="s42256",
        title=pick(
            "Training with delayed forgetting improves networks across the sciences",
            "A training paradigm that remembers its detours",
        ),
        abstract="Networks forget, in the course of training, much that they once knew. We propose delayed "
        "forgetting, a training paradigm in which weights are pulled towards their own past. "
        f"{cue} Improvements range from {min(gains):.1f} to {max(gains):.1f} %.",
        sections=(
            section(
                "Introduction",
                "Stochastic gradient descent takes detours, and what is learned on a detour is lost when the path "
                "returns [@detour]. Averages of weights recover part of it [@average].",
                "We ask whether forgetting can be delayed on purpose.",
                "The idea has a forerunner in the study of continual learning, where weights that matter for an old "
                "task are held back while a new one is learned [@old]. Here there is only one task, and what is held "
                "back is decided by the path and not by the task.",
                "A scheme of this kind should be judged by its breadth. One that helps a single network on a single "
                "benchmark can be found by trying often enough [@seeds], and the literature on optimisers is rich in "
                "them.",
            ),
            section("Results"),
            section(
                "Delayed forgetting",
                "At every step the weights are drawn towards a slow and a fast average of their past, $s$ and $f$:",
                Equation(r"w_{t+1} = w_t - \eta\, \nabla L(w_t) - \alpha\, (w_t - s_t) + \beta\, (w_t - f_t)"),
                "The two forces cancel where the loss is flat. Two hyperparameters are added to those of the "
                "optimiser, and both were left at their default, 0.01, in all experiments.",
                "Near the end of training the pull of the slow average dominates, and the scheme turns into an "
                "average of weights. In between it acts as a spring whose stiffness is set by curvature. No part of "
                "it refers to the layers of the network.",
                level=2,
            ),
            section(
                "Fourteen models and 23 benchmarks",
                f"{cue} The improvement is positive in all five fields ([#table-1]).",
                Placement("table", 1),
                "Of the 23 tasks, 20 improve, two do not change beyond the spread of three runs, and one, a language "
                "task with fewer than a thousand sentences, gets worse by 0.3 %. Convolutional networks gain about "
                "as much as transformers, and graph networks a little more. The gain does not depend on whether the "
                "network was pretrained.",
                level=2,
            ),
            section(
                "Robustness of the two hyperparameters",
                "Varying either force by a factor of four up or down on six of the tasks leaves two thirds of the "
                "gain. Setting the second to zero, which leaves a plain pull to the past, takes away half of it "
                "[@ablation].",
                level=2,
            ),
            section(
                "Discussion",
                "Delayed forgetting costs two copies of the weights. It helps small data sets more than large ones, "
                "and it does nothing for models that are trained for less than one epoch.",
                "Why a detour should be worth remembering is not clear in general. On a toy landscape with two "
                "valleys one can show that the scheme finds the wider of the two more often; whether the losses of "
                "large networks resemble that landscape is a matter of belief.",
                "We have not combined the scheme with methods that change the gradient itself, such as sharpness-aware "
                "minimisation, nor tried it where the data change during training. The first seems easy and the "
                "second is where forgetting is a virtue. Reinforcement learning, in which both occur, was left out for "
                "that reason.",
            ),
            section("Methods"),
            section(
                "Benchmarks",
                "All benchmarks were run with the settings of their authors, with and without delayed forgetting, "
                "three times each. Where a benchmark reports several metrics, the one named first by its authors was "
                "taken. Relative improvements are changes of the error, or of one minus the score, divided by the "
                "value without the scheme, and are averaged over tasks with equal weight.",
                level=2,
            ),
            section(
                "Averages",
                "The fast average has a time constant of 100 steps, the slow one of a tenth of the training. Both "
                "start at the initial weights and are kept in the precision of the optimiser [@adam].",
                level=2,
            ),
            section(
                "Cost",
                "A step takes 3 to 7 % longer. Memory grows by two copies of the weights, which is a fifth of what "
                "activations need in the largest of the models and two thirds in the smallest.",
                level=2,
            ),
            section("Data availability", "All benchmarks are public; the sources are listed in Supplementary Table 1."),
        ),
        references={
            "detour": ("Detours of gradient descent", "Proc. Optim. Learn."),
            "average": ("Averages of weights", "Proc. Optim. Learn."),
            "old": ("Holding on to old tasks", "Contin. Learn. Lett."),
        },
        tables=(table,),
        subjects=("Computer science",),
    )
